"""What single instructions compute, on arrays of lanes: a second opinion."""
