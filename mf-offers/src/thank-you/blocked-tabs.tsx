import { useSiteSettings } from '@daybook/platform';
import { Panel } from '@daybook/ui';
import { type BlockedTabsState, parseWebUrl } from '../new-tab.ts';
import { availableOffers, offers } from '../offers.ts';
import styles from './blocked-tabs.module.css';

const blockedOffersCopy = {
  heading: 'Your browser blocked these offers',
  text: 'Browsers usually open only one tab per click. You can open the rest here, each in a new tab.',
  sponsoredBy: 'Sponsored by',
} as const;

const blockedUrlCopy = {
  heading: 'Your browser blocked this website',
  text: 'Browsers don’t always let a page open a tab on its own. You can open it here, in a new tab.',
} as const;

/** Parses a history entry's state, which can be anything. `offers` is `undefined` unless the offer picker set it. */
export function readBlockedTabs(state: unknown) {
  const { blockedOffers, blockedUrl, areOffersUnsaved } = (state ?? {}) as Record<keyof BlockedTabsState, unknown>;
  return {
    offers: Array.isArray(blockedOffers)
      ? offers.map(({ id }) => id).filter((id) => blockedOffers.includes(id))
      : undefined,
    url: parseWebUrl(blockedUrl),
    areOffersUnsaved: areOffersUnsaved === true,
  };
}

export type BlockedTargets = ReturnType<typeof readBlockedTabs>;

/** The blocked tabs as links: browsers always allow a click on a link. */
export function BlockedTabs({ tabs: { offers: ids, url } }: { readonly tabs: BlockedTargets }) {
  const offerLinks = availableOffers(useSiteSettings())
    .filter(({ id }) => ids?.includes(id))
    .map(({ url: href, title, sponsor }) => ({
      href,
      text: title,
      rel: 'noopener noreferrer sponsored',
      note: `${blockedOffersCopy.sponsoredBy} ${sponsor}`,
    }));
  return (
    <>
      {offerLinks.length > 0 && <BlockedLinks id="blocked-offers" copy={blockedOffersCopy} links={offerLinks} />}
      {url !== undefined && (
        <BlockedLinks
          id="blocked-url"
          copy={blockedUrlCopy}
          links={[{ href: url.href, text: url.host, rel: 'noopener noreferrer nofollow', translate: 'no' }]}
        />
      )}
    </>
  );
}

interface BlockedLinksProps {
  readonly id: string;
  readonly copy: { readonly heading: string; readonly text: string };
  readonly links: readonly { href: string; text: string; rel: string; note?: string; translate?: 'no' }[];
}

function BlockedLinks({ id, copy, links }: BlockedLinksProps) {
  return (
    <Panel tone="notice" aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        {copy.heading}
      </h2>
      <p>{copy.text}</p>
      {/* biome-ignore lint/a11y/noRedundantRoles: without list marks, Safari reads no list out unless the role is given */}
      <ul role="list" className={styles.list}>
        {links.map(({ href, text, note, ...attributes }) => (
          <li key={href}>
            <a className={styles.link} href={href} target="_blank" {...attributes}>
              {text}
            </a>
            {note !== undefined && <span className={styles.note}>{note}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
