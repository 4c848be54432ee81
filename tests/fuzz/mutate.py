"""Small damages to files, each chosen by a random.Random: as disks, transfers, editors and tired people do them."""

import re

NUMBERS = [b"0", b"-0", b"-1", b"1", b"2", b"1e308", b"-1e308", b"1e-308", b"1e999", b"1e17", b"-1e-9", b"nan", b"inf", b"-inf", b".nan", b".inf", b"0x10", b"1e", b"1.2.3", b"", b"00012", b"1_000",
           b"2147483647", b"2147483648", b"-2147483648", b"4294967295", b"4294967296", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"18446744073709551615",
           b"99999999999999999999999999", b"0.30000000000000004", b"1000000", b"true", b"~"]
SPECIAL = [b"{", b"}", b"[", b"]", b":", b": ", b",", b"#", b"&a ", b"*a ", b"!", b"!!binary ", b"|", b">", b"'", b'"', b"%", b"@", b"`", b"?", b"---\n", b"...\n", b"<<: ", b"\t", b"\0", b"\r", b"\n",
           b" ", b"$", b"/", b"\\", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"$End", b"<", b"/>", b"-"]
INTEGERS = [0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF,
            0x7FF0000000000000, 0x7FF8000000000000, 0x3FF0000000000000, 0x100000000]
NUMBER = re.compile(rb"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
WORD = re.compile(rb"[A-Za-z_$][A-Za-z0-9_]*")


def span(random, data, longest):
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + random.randint(1, longest))


def flip_bits(random, data):
    changed = bytearray(data)
    for _ in range(random.choice([1, 1, 1, 2, 8, 64])):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def overwrite(random, data):
    start, end = span(random, data, 16)
    return data[:start] + random.choice([b"\0" * (end - start), b"\xff" * (end - start), random.randbytes(end - start)]) + data[end:]


def overwrite_integer(random, data):
    width = random.choice([1, 2, 4, 8])
    start = random.randrange(max(1, len(data) - width + 1)) // width * width
    value = random.choice(INTEGERS) % (1 << 8 * width)
    return data[:start] + value.to_bytes(width, random.choice(["little", "big"])) + data[start + width:]


def cut_end(random, data):
    return data[: random.randrange(len(data) + 1)]


def cut_out(random, data):
    start, end = span(random, data, max(2, len(data) // random.choice([2, 10, 100])))
    return data[:start] + data[end:]


def double(random, data):
    start, end = span(random, data, max(2, len(data) // random.choice([2, 10, 100])))
    return data[:end] + data[start:end] * random.choice([1, 1, 1, 2, 20]) + data[end:]


def move(random, data):
    start, end = span(random, data, max(2, len(data) // 10))
    rest = data[:start] + data[end:]
    place = random.randrange(len(rest) + 1)
    return rest[:place] + data[start:end] + rest[place:]


def insert(random, data):
    place = random.randrange(len(data) + 1)
    return data[:place] + random.choice([random.randbytes(random.randint(1, 16)), random.choice(SPECIAL), random.choice(NUMBERS)]) + data[place:]


def replace_number(random, data):
    found = list(NUMBER.finditer(data))
    if not found:
        return flip_bits(random, data)
    chosen = random.choice(found)
    text = chosen[0]
    with_sign = text[1:] if text[:1] == b"-" else b"-" + text
    value = random.choice([*NUMBERS, with_sign, text + b"0", text + b"e9", text[:-1], random.choice(found)[0]])
    return data[: chosen.start()] + value + data[chosen.end():]


def swap_words(random, data):
    found = list(WORD.finditer(data))
    if len(found) < 2:
        return flip_bits(random, data)
    first, second = sorted(random.sample(found, 2), key=lambda match: match.start())
    return data[: first.start()] + second[0] + data[first.end(): second.start()] + first[0] + data[second.end():]


def drop_word(random, data):
    found = list(WORD.finditer(data))
    if not found:
        return flip_bits(random, data)
    chosen = random.choice(found)
    return data[: chosen.start()] + random.choice([b"", chosen[0] * 2, chosen[0][:-1], chosen[0].upper()]) + data[chosen.end():]


def change_lines(random, data):
    lines = data.split(b"\n")
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    what = random.randrange(5)
    if what == 0:
        del lines[i]
    elif what == 1:
        lines.insert(i, lines[j])
    elif what == 2:
        lines[i], lines[j] = lines[j], lines[i]
    elif what == 3:
        lines.insert(i, lines.pop(j))
    else:
        lines[i] = random.choice([b" ", b"  ", b"- ", b"#"]) + lines[i] if random.random() < 0.5 else lines[i].lstrip()
    return b"\n".join(lines)


BYTES = [flip_bits, overwrite, overwrite_integer, cut_end, cut_out, double, move, insert]
TEXT = [replace_number, replace_number, replace_number, replace_number, swap_words, drop_word, change_lines, change_lines]


def mutate(random, data, text):
    """The bytes with one to four damages; `text`: whether the file has lines and words."""
    result = data
    for _ in range(random.choice([1, 1, 1, 1, 2, 2, 3, 4])):
        if result:
            result = random.choice(TEXT if text and random.random() < 0.75 else BYTES)(random, result)
    return result


def mutate_hdf5(random, path):
    """Damages what an HDF5 file holds, where damaged bytes alone would mostly be found by HDF5."""
    import h5py
    import numpy
    with h5py.File(path, "r+") as file:
        names = []
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        what = random.randrange(6 if names else 1)
        if what == 0 and len(file.attrs):
            name = random.choice(list(file.attrs))
            if random.random() < 0.3:
                del file.attrs[name]
            else:
                file.attrs[name] = random.choice([0, -1, 1, 1 << 31, 1 << 62, 0.5, "text", numpy.zeros(3), numpy.uint64(0xFFFFFFFFFFFFFFFF)])
            return
        name = random.choice(names)
        values = file[name][()]
        if what == 1:
            del file[name]
        elif what == 2:
            other = random.choice(names)
            if other != name:
                file.move(name, "aside")
                file.move(other, name)
                file.move("aside", other)
        elif what == 3:   # another size or type
            flat = numpy.atleast_1d(values)
            del file[name]
            file[name] = random.choice([flat[:-1], numpy.concatenate([flat, flat]), flat.astype("f4"), flat.astype("i8", casting="unsafe") if numpy.isfinite(flat).all() else flat[:0],
                                        flat.reshape(-1), numpy.array(["text"] * len(flat), dtype="S4"), flat[None], 0])
        elif values.dtype.kind in "fi":
            flat = numpy.atleast_1d(values).reshape(-1).copy()
            if len(flat):
                with numpy.errstate(over="ignore"):
                    wild = [numpy.nan, numpy.inf, -1e308, 1e-300, -1, 0, 1e9] if values.dtype.kind == "f" else [-1, -2147483648, 2147483647, 0, 1, 100]
                    flat[random.randrange(len(flat))] = random.choice(wild)
                file[name][...] = flat.reshape(numpy.shape(values))
