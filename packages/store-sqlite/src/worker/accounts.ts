import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";

export const accountSql = {
  find: "SELECT ref FROM account WHERE channel = ? AND account_id = ?" as Sql,
  add: "INSERT INTO account (channel, account_id) VALUES (?, ?)" as Sql,
  cursor: "SELECT cursor FROM account WHERE channel = ? AND account_id = ?" as Sql,
  setCursor: "UPDATE account SET cursor = ? WHERE ref = ?" as Sql,
  state: "SELECT value FROM channel_state WHERE account_ref = ? AND key = ?" as Sql,
  changeState: "UPDATE channel_state SET value = ? WHERE account_ref = ? AND key = ?" as Sql,
  addState: "INSERT INTO channel_state (account_ref, key, value) VALUES (?, ?, ?)" as Sql,
  countState: "UPDATE account SET state_keys = state_keys + ? WHERE ref = ? RETURNING state_keys" as Sql,
  dropState: "DELETE FROM channel_state WHERE account_ref = ? AND key = ?" as Sql,
};

/** Small numbers for (channel, account) pairs: inbox rows and their indexes carry those. */
export interface Accounts {
  /** Undefined for an account that never stored anything. */
  find(channel: string, accountId: string): number | undefined;
  ref(channel: string, accountId: string): number;
  /** After a rollback: a number allotted in it does not exist. */
  forget(): void;
}

/** Remembers the numbers; there are as many as configured accounts. */
export function createAccounts(db: Database): Accounts {
  const refs = new Map<string, number>();
  const find = (channel: string, accountId: string): number | undefined => {
    const key = `${channel}\n${accountId}`;
    const known = refs.get(key);
    if (known !== undefined) return known;
    const stored = db.get<{ ref: number }>(accountSql.find, channel, accountId)?.ref;
    if (stored !== undefined) refs.set(key, stored);
    return stored;
  };
  return {
    find,
    ref(channel, accountId) {
      const known = find(channel, accountId);
      if (known !== undefined) return known;
      const { lastId } = db.run(accountSql.add, channel, accountId);
      refs.set(`${channel}\n${accountId}`, lastId);
      return lastId;
    },
    forget() {
      refs.clear();
    },
  };
}
