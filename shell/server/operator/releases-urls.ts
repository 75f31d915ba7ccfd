/** The operator's page for releases. */
export const releasesPageUrl = '/_releases';
/** The API of releases, for scripts and teams. */
export const releasesApiUrl = `${releasesPageUrl}/api`;

export const signInUrl = `${releasesPageUrl}/session`;
export const signOutUrl = `${releasesPageUrl}/sign-out`;
export const styleUrl = `${releasesPageUrl}/style.css`;
