import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False while prerendered markup is being hydrated, true from then on, and always where there is none. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
