// Only for the shell, and tests in its place: connects the platform for the remotes.
export { connectNavigation, type Location, LocationContext, type Navigate } from './navigation.ts';
export { provideSiteSettings } from './shared-state.ts';
