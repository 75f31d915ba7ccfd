export { getDefaultStore, useAtomValue } from 'jotai';
export { ApiError, apiRequest } from './api-request.ts';
export { storeEmail } from './email-storage.ts';
export { type Location, navigate, useLocation } from './navigation.ts';
export { dismissToast, showToast, toastLimits, toastsAtom, useSiteSettings } from './shared-state.ts';
