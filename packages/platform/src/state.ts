// State is kept in jotai atoms. Remotes take jotai from here, so that shell and remotes see the same
// store: an atom set by one page is still there when a page of another remote reads it.
export { atom, getDefaultStore, useAtom, useAtomValue, useSetAtom } from 'jotai';
