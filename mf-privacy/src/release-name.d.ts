/** The remote's name and the version of its release, such as `mf-privacy@1.0.0-3f9ac2d1`; the build puts it in. */
declare const RELEASE_NAME: string;
