import { isoTime, PostgresRegistry } from '@daybook/releases/server';
import { type CountedInterval, maxSessions, type SignIn, type SiteRegistry, type Upload } from './site-registry.ts';

const keyOf = ({ remote, version, at }: CountedInterval) => `${remote} ${version} ${at}`;

/** The registry of releases, and what else shell servers store in the same schema. */
export class PostgresSiteRegistry extends PostgresRegistry implements SiteRegistry {
  async readSession(id: string): Promise<unknown> {
    const text = 'SELECT content FROM releases.session WHERE id = $1 AND expires_at > now()';
    const [found] = await this.query<{ content: unknown }>(text, [id]);
    return found?.content;
  }

  async writeSession(id: string, tokenName: string, content: object, expiresAt: Date): Promise<void> {
    await this.query(
      `DELETE FROM releases.session WHERE expires_at <= now() OR id IN (
         SELECT id FROM releases.session WHERE token_name = $2 AND id <> $1 ORDER BY expires_at DESC OFFSET $3
       )`,
      [id, tokenName, maxSessions - 1],
    );
    await this.query(
      `INSERT INTO releases.session (id, token_name, content, expires_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET content = excluded.content, expires_at = excluded.expires_at`,
      [id, tokenName, JSON.stringify(content), expiresAt],
    );
  }

  async removeSession(id: string): Promise<void> {
    await this.query('DELETE FROM releases.session WHERE id = $1', [id]);
  }

  async recordSignIn({ operator, action, network }: Omit<SignIn, 'at'>): Promise<void> {
    const text = 'INSERT INTO releases.sign_in (operator, action, network) VALUES ($1, $2, $3)';
    await this.query(text, [operator, action, network]);
  }

  async signIns(): Promise<readonly SignIn[]> {
    return this.query<SignIn>(
      `SELECT ${isoTime('at')} AS at, operator, action, network FROM releases.sign_in ORDER BY sign_in.at`,
    );
  }

  async addCounts(counts: readonly CountedInterval[], oldest: number): Promise<void> {
    // First: if it failed after the counts were added, they would be added again.
    await this.query('DELETE FROM releases.count WHERE interval_start < $1', [new Date(oldest)]);
    // Sorted: two replicas that add to the same rows in different orders would wait for each other.
    const rows = counts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    await this.query(
      `INSERT INTO releases.count (remote, version, interval_start, views, failures)
       SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::integer[], $5::integer[])
       ON CONFLICT (remote, version, interval_start) DO UPDATE
       SET views = count.views + excluded.views, failures = count.failures + excluded.failures`,
      [
        rows.map(({ remote }) => remote),
        rows.map(({ version }) => version),
        rows.map(({ at }) => new Date(at)),
        rows.map(({ views }) => views),
        rows.map(({ failures }) => failures),
      ],
    );
  }

  async counts(remote: string, since: number): Promise<readonly CountedInterval[]> {
    const rows = await this.query<Omit<CountedInterval, 'at'> & { at: Date }>(
      `SELECT remote, version, interval_start AS at, views, failures FROM releases.count
       WHERE remote = $1 AND interval_start >= $2`,
      [remote, new Date(since)],
    );
    return rows.map((row) => ({ ...row, at: row.at.getTime() }));
  }

  async addUpload(remote: string, bytes: number, maxAge: number): Promise<void> {
    await this.query("DELETE FROM releases.upload WHERE at <= now() - $1 * interval '1 ms'", [maxAge]);
    await this.query('INSERT INTO releases.upload (remote, bytes) VALUES ($1, $2)', [remote, bytes]);
  }

  async uploads(remote: string): Promise<readonly Upload[]> {
    const age = '(extract(epoch FROM now() - at) * 1000)::float8 AS age';
    return this.query<Upload>(
      `SELECT ${age}, bytes::float8 AS bytes FROM releases.upload WHERE remote = $1 ORDER BY at`,
      [remote],
    );
  }
}
