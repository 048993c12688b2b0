"""What the doctor looks at, each thing by itself."""
