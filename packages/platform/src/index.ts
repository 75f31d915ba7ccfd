export { getDefaultStore } from 'jotai/vanilla';
export { ApiError, apiRequest } from './api-request.ts';
export { storeEmail } from './email-storage.ts';
export { type Location, navigate, useLocation } from './navigation.ts';
export {
  dismissToast,
  expectToasts,
  showToast,
  toastLimits,
  toastsAtom,
  toastsExpectedAtom,
  useAtomValue,
  useSiteSettings,
} from './shared-state.ts';
