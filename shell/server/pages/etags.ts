/** Whether a browser or a proxy has this version of an answer. */
export const isKnown = (etag: string, ifNoneMatch = '') =>
  ifNoneMatch.split(',').some((known) => known.trim() === etag);
