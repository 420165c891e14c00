/** Fails the run when scripts silently stayed on the machine's Node instead of the pinned one. */
export default function assertNode(): void {
  const major = Number(process.versions.node.split(".")[0]);
  if (major !== 24) {
    throw new Error(
      `The tests run on Node 24, this is ${process.version}. Start them with "npm test", which uses the pinned Node.`,
    );
  }
}
