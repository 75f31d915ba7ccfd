import { hash } from 'node:crypto';
import pg from 'pg';

/** The name under which each text is prepared. Texts are our own, so they stay few. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = hash('sha256', text).slice(0, 32);
    names.set(text, name);
  }
  return name;
}

/** What of a connection is changed here; pg's types have a signature for each way to call it. */
const Connection = pg.Client as unknown as new (
  options: pg.ClientConfig,
) => { query(statement: unknown, values?: unknown, done?: unknown): unknown };

/**
 * A connection on which every statement with values is prepared: PostgreSQL parses each text once a connection, and
 * soon plans it no more. TypeORM has no such option. Whatever else is sent, such as a cursor, goes as it is.
 */
export class PreparingClient extends Connection {
  override query(statement: unknown, values?: unknown, done?: unknown): unknown {
    if (typeof statement !== 'string' || !Array.isArray(values) || values.length === 0 || done !== undefined) {
      return super.query(statement, values, done);
    }
    return new Promise((resolve, reject) => {
      const query = new pg.Query(statement, values, (error: Error | null | undefined, result: unknown) =>
        error ? reject(error) : resolve(result),
      );
      super.query(Object.assign(query, { name: nameOf(statement) }));
    });
  }
}
