/** Where operators see and change what visitors get. */
export const releasesPageAddress = '/_releases';
export const signInAddress = `${releasesPageAddress}/session`;
export const signOutAddress = `${releasesPageAddress}/sign-out`;
export const styleAddress = `${releasesPageAddress}/style.css`;
