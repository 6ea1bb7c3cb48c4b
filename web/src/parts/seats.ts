// How the seats are told apart beside the boards: by colour and by shape, six of each.
const COLOURS = 6; // as many as theme.css has

export function seatColour(seat: number): string {
  return `var(--seat-${seat % COLOURS})`;
}

/** A circle, a square, a triangle, a diamond, a cross and a star, in a box of 20 × 20. */
const SHAPES = [
  "M10 1a9 9 0 1 0 0 18a9 9 0 1 0 0-18z",
  "M4 2h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z",
  "M10 1.5 19.5 18H.5z",
  "M10 0 20 10 10 20 0 10z",
  "M7 1h6v6h6v6h-6v6H7v-6H1V7h6z",
  "M10 0 12.7 6.9 20 7.4 14.3 12 16.2 19.2 10 15.2 3.8 19.2 5.7 12 0 7.4 7.3 6.9z",
];

export function seatShape(seat: number): string {
  return SHAPES[seat % SHAPES.length]!;
}
