/** Says that the connection of the bot is to be closed without an answer. */
export class DroppedConnection extends Error {
  constructor() {
    super("The connection is dropped without an answer.");
    this.name = "DroppedConnection";
  }
}
