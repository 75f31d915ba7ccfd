import { site } from '@daybook/contract';
import { useSiteSettings } from '@daybook/platform';
import { Panel } from '@daybook/ui';
import styles from './contact-panel.module.css';
import { contact } from './legal-copy.ts';

const headingId = 'contact';

/**
 * How to reach the publisher. It stands below the text and not in it, since the text is Markdown and the
 * support address is the operator's to set.
 */
export function ContactPanel() {
  const { supportAddress } = useSiteSettings();
  return (
    <Panel aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.heading}>
        {contact.heading}
      </h2>
      <dl className={styles.ways}>
        <div>
          <dt>{contact.email}</dt>
          <dd>
            <a href={`mailto:${supportAddress}`}>{supportAddress}</a>
          </dd>
        </div>
        <div>
          <dt>{contact.post}</dt>
          <dd>
            <address className={styles.post}>{site.postalAddress.join('\n')}</address>
          </dd>
        </div>
      </dl>
    </Panel>
  );
}
