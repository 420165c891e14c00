import { useEffect, useRef } from "react";

/** Listens to one event of a server-sent stream while mounted; the browser reconnects by itself. */
export function useEventSource(url: string | null, event: string, onData: (data: unknown) => void): void {
  const latest = useRef(onData);
  useEffect(() => {
    latest.current = onData;
  });
  useEffect(() => {
    if (url === null) return;
    const source = new EventSource(url);
    source.addEventListener(event, (message: MessageEvent<string>) => {
      latest.current(JSON.parse(message.data));
    });
    return () => {
      source.close();
    };
  }, [url, event]);
}
