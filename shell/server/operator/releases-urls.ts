/** The operator's page for releases. */
export const releasesPageUrl = '/_releases';
/** The API of releases, for scripts and teams. */
export const releasesApiUrl = `${releasesPageUrl}/api`;
