/**
 * What the supervisor does after a listener's error. Decided by the adapter from typed errors and codes, never from texts.
 * `fatal` stops that account only; `hint` is one sentence that says what to do.
 */
export type ErrorClass =
  | { readonly kind: "retry"; readonly afterMs?: number | undefined }
  | { readonly kind: "fatal"; readonly hint: string };
