import { ChoicePage } from '../choice-form/choice-page.tsx';
import { californiaUnsubscribe } from '../choices/california-unsubscribe.ts';

/** /ca-unsubscribe (product document, section 2). */
export default function CaliforniaUnsubscribePage() {
  return <ChoicePage choice={californiaUnsubscribe} />;
}
