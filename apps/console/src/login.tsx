import { type ReactNode, useState } from "react";

import { api } from "./api.ts";

/** Asks for the admin token where the gateway is not on loopback. */
export function Login({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [token, setToken] = useState("");
  const [failure, setFailure] = useState<string | null>(null);

  async function submit(): Promise<void> {
    try {
      await api("/api/login", { token });
      onDone();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <form
      className="login"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h1>Turnwire</h1>
      <label>
        Admin token
        <input type="password" value={token} onChange={(event) => setToken(event.target.value)} />
      </label>
      <button type="submit">Open</button>
      {failure !== null && <p className="failure">{failure}</p>}
    </form>
  );
}
