// The only globals that the kernel touches; every runtime it supports has them. Declared by hand, because
// `lib: ["es2024"]` and `types: []` keep DOM and Node out. Interfaces merge with a consumer's own declarations.

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: any;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}

declare var AbortController: { prototype: AbortController; new (): AbortController };
