export default async function stop() {
  await globalThis.releasesDatabase?.stop();
}
