// The HEALTHCHECK of both servers: exits with 0 if /readyz reports ready. Prints the response, which the engine stores:
// docker inspect --format '{{json .State.Health}}' <container>
// With --once, for orchestrators that kill what is unhealthy: once it was ready, it only has to respond (/healthz).
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

const once = process.argv.includes('--once');
const wasReady = `${tmpdir()}/was-ready`;
try {
  const probe = once && existsSync(wasReady) ? 'healthz' : 'readyz';
  const response = await fetch(`http://127.0.0.1:${process.env.PORT}/${probe}`);
  console.log(await response.text());
  if (once && response.ok) writeFileSync(wasReady, '');
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.log(error.cause?.message || error.message);
  process.exitCode = 1;
}
