export { ApiError, apiRequest } from './api-request.ts';
export { storeEmailAddress } from './email-storage.ts';
export { type Location, type NavigateOptions, navigate, useLocation, useSearchParameters } from './navigation.ts';
export { useSiteSettings } from './site-settings.ts';
export { atom, getDefaultStore, useAtom, useAtomValue, useSetAtom } from './state.ts';
export { dismissToast, showToast, type Toast, type ToastContent, toastLimits, toastsAtom } from './toasts.ts';
