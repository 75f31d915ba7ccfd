/** Far above any honest release; sizes in bytes. */
export const releaseLimits = {
  /** Of `release.json`: a file of only brackets takes a third of a millisecond per kB to parse. */
  manifest: 300_000,
  files: 2_000,
  /** Number of folders, and their nesting depth: each folder is created. */
  folders: 100,
  depth: 8,
  routes: 200,
  /** Of all routes' metadata, which `/registry.json` and the sitemap contain. */
  routeText: 64_000,
  redirects: 100,
  /** Of what a page of any remote contains of this one: paths, titles and frames of its routes, and redirects. */
  inlined: 8_000,
  /** Chunks and styles of a route: its page links all of them. */
  filesOfRoute: 100,
  /** Characters of a file's path, and of a version. */
  name: 200,
  fileSize: 20_000_000,
  size: 60_000_000,
  /** Fragment and styles of a page's document, and of all pages together: documents are cached in memory. */
  document: 1_000_000,
  documents: 10_000_000,
} as const;
