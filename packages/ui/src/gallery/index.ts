import { actionStates } from './action-states.tsx';
import type { ComponentStates } from './component-states.ts';
import { fieldStates } from './field-states.tsx';
import { frameStates } from './frame-states.tsx';
import { layoutStates } from './layout-states.tsx';

export type { ComponentStates } from './component-states.ts';

/** Every component in every state; shown at /_components by `npm run dev`. */
export const gallery: readonly ComponentStates[] = [...actionStates, ...fieldStates, ...layoutStates, ...frameStates];
