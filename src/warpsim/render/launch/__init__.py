"""What a launch shows: text, page, picture, comparison."""
