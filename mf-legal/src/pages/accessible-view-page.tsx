import { AccessibleView } from '../accessible-view/accessible-view.tsx';

/** /accessible-view (product document, section 2). */
export default function AccessibleViewPage() {
  return <AccessibleView />;
}
