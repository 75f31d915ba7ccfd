import { ChoicePage } from '../choice-form/choice-page.tsx';
import { profilingOptOut } from '../choices/profiling-opt-out.ts';

/** /profiling-opt-out (product document, section 2). */
export default function ProfilingOptOutPage() {
  return <ChoicePage choice={profilingOptOut} />;
}
