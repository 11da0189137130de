"""What must be found in launches with bugs, and launches made wrong by leaving something out."""
