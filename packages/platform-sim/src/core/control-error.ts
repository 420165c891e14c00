/** A control call that cannot be done as it was asked: answered with 400 and these fields. */
export class ControlError extends Error {
  readonly field: string;
  readonly expected: string;

  constructor(message: string, field: string, expected: string) {
    super(message);
    this.name = "ControlError";
    this.field = field;
    this.expected = expected;
  }
}
