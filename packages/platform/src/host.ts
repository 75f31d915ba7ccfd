// What only the shell (and a test in its place) may call: it makes the platform work for the remotes.
export { connectNavigation, type Location, LocationContext, type Navigate } from './navigation.ts';
export { provideSiteSettings } from './shared-state.ts';
