"""Reads run.json, which describes a run and holds its scene."""

import json


def read_run(directory):
    """What run.json in the folder of a run holds, as a dictionary. Raises OSError if the file cannot be read, and ValueError, with its name and a remedy, if it is damaged."""
    path = directory / "run.json"
    remedy = "is damaged; `traction resume` writes it anew, or run the scene again"
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:   # neither JSON nor text
        raise ValueError(f"{path}: {remedy} ({error})") from error
    if not isinstance(run, dict) or not isinstance(run.get("scene", {}), dict):
        raise ValueError(f"{path}: {remedy} (it is no description of a run)")
    return run


def read_scene_of_run(directory):
    """The scene with every default; empty without a run.json, as in frames that no run has written."""
    return read_run(directory).get("scene", {}) if (directory / "run.json").exists() else {}
