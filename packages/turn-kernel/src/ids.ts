/** Source of unique ids: turn ids, outbox ids. */
export interface Ids {
  /** A new id, unique for ever, of letters, digits, `-` and `_`, at most 36 characters; later ids sort behind earlier ones where the source can. */
  next(): string;
}
