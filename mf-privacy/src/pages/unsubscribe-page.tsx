import { ChoicePage } from '../choice-form/choice-page.tsx';
import { unsubscribe } from '../choices/unsubscribe.ts';

/** /unsubscribe (product document, section 2). */
export default function UnsubscribePage() {
  return <ChoicePage choice={unsubscribe} />;
}
