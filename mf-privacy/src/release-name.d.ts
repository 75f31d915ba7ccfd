/** Name and version of the remote's release, such as `mf-privacy@1.0.0-3f9ac2d10b7e`; inserted by the build. */
declare const RELEASE_NAME: string;
