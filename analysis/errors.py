"""What a user got wrong."""


class InputError(ValueError):
    """What was given cannot be; the message is one line that says what is allowed."""
