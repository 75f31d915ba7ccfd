import { useSiteSettings } from '@daybook/platform';
import styles from './support-note.module.css';

/** When and where to write to support (product document, section 2: these pages link to the support address). */
export function SupportNote({ note }: { readonly note: string }) {
  const { supportAddress } = useSiteSettings();
  return (
    <p className={styles.note}>
      {note} <a href={`mailto:${supportAddress}`}>{supportAddress}</a>.
    </p>
  );
}
