export default async function stop() {
  if (!globalThis.backendTestPostgres) return;
  await globalThis.backendTestPostgres.stop();
  delete process.env.TEST_DATABASE_URL;
}
