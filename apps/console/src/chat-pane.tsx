import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";

import { api, type Message, type Pane, type Place, type View } from "./api.ts";
import { useEventSource } from "./use-event-source.ts";

function Bubble({ message, own }: { readonly message: Message; readonly own: boolean }): ReactNode {
  return (
    <li className={own ? "own" : "other"} data-message={message.messageId} data-by={message.by}>
      <b>{message.by}</b>
      <p>{message.deleted ? <i>deleted</i> : message.text}</p>
      {message.files.map((file) => (
        <span key={file} className="file">
          {file}
        </span>
      ))}
      <small>
        {new Date(message.at).toLocaleTimeString()}
        {message.edits > 0 && " · edited"}
        {message.reactions.length > 0 && ` · ${message.reactions.join(" ")}`}
      </small>
    </li>
  );
}

function Composer({
  pane,
  place,
  person,
}: {
  readonly pane: Pane;
  readonly place: Place;
  readonly person: string;
}): ReactNode {
  const [text, setText] = useState("");
  const [mention, setMention] = useState(true);
  const [failure, setFailure] = useState<string | null>(null);

  async function send(): Promise<void> {
    if (text.trim() === "") return;
    try {
      await api(`/api/playground/${pane.platform}/say`, {
        place: place.key,
        by: person,
        text,
        mentionBot: place.needsMention && mention,
      });
      setText("");
      setFailure(null);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <input
        aria-label={`Message on ${pane.title}`}
        placeholder={`Write as ${person} to ${place.title}`}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {place.needsMention && (
        <label>
          <input type="checkbox" checked={mention} onChange={(event) => setMention(event.target.checked)} />@{pane.bot}
        </label>
      )}
      <button type="submit">Send</button>
      {failure !== null && <p className="failure">{failure}</p>}
    </form>
  );
}

/** One simulated platform: choose a place and a person, write, and see what that person would see. */
export function ChatPane({ pane }: { readonly pane: Pane }): ReactNode {
  const [placeKey, setPlaceKey] = useState(pane.places[0]?.key ?? "");
  const place = pane.places.find((candidate) => candidate.key === placeKey);
  const [wanted, setWanted] = useState("");
  const person = place?.people.includes(wanted) === true ? wanted : (place?.people[0] ?? "");
  const queries = useQueryClient();
  const end = useRef<HTMLLIElement>(null);

  const key = ["place", pane.platform, placeKey];
  // Typing fades without an event of its own: look again every few seconds.
  const view = useQuery({
    queryKey: key,
    queryFn: async () => api<View>(`/api/playground/${pane.platform}/places/${placeKey}`),
    refetchInterval: 3_000,
  });
  useEventSource(
    `/api/playground/${pane.platform}/stream`,
    "change",
    () => void queries.invalidateQueries({ queryKey: key }),
  );

  const shown = view.data;
  useEffect(() => {
    end.current?.scrollIntoView({ block: "nearest" });
  }, [shown?.messages.length, shown?.draft]);

  if (place === undefined) return null;
  return (
    <section className="pane" aria-label={pane.title} data-platform={pane.platform}>
      <h2>{pane.title}</h2>
      <div className="choices">
        {pane.places.map((candidate) => (
          <button
            key={candidate.key}
            type="button"
            aria-pressed={candidate.key === placeKey}
            onClick={() => setPlaceKey(candidate.key)}
          >
            {candidate.title}
          </button>
        ))}
        <select aria-label="Write as" value={person} onChange={(event) => setWanted(event.target.value)}>
          {place.people.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <ul className="messages">
        {shown?.messages.map((message) => (
          <Bubble key={message.messageId} message={message} own={message.by === person} />
        ))}
        {shown?.draft != null && (
          <li className="other draft" data-draft>
            <b>{pane.bot}</b>
            <p>{shown.draft}</p>
            <small>writing…</small>
          </li>
        )}
        {shown?.typing === true && shown.draft === null && (
          <li className="other typing" data-typing>
            {pane.bot} is typing…
          </li>
        )}
        <li ref={end} className="end" />
      </ul>
      <Composer key={placeKey} pane={pane} place={place} person={person} />
    </section>
  );
}
