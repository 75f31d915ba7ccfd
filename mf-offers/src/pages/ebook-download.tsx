import { site } from '@daybook/contract/site';
import { useSiteSettings } from '@daybook/platform';
import type { PageRouteDefinition } from '@daybook/platform/page';
import { ButtonLink, Container, Introduction, Panel, SideBySide } from '@daybook/ui';
import { GuideCover } from '../ebook-download/guide-cover.tsx';
import { guideFacts } from '../ebook-download/guide-facts.ts';
import url from '../ebook-download/senior-savings-guide.pdf';
import { LabelledHeading } from '../labelled-heading.tsx';
import { useLiteralParameters } from '../literal-parameters.ts';
import { Sponsored } from '../sponsored.tsx';
import { parseEmail } from '../visitor.ts';
import styles from './ebook-download.module.css';

export const route = {
  path: '/ebook-download',
  title: 'The Senior Savings Guide: free PDF',
  description:
    'Download a free guide to savings of up to $5,000 a year for seniors: Medicare costs, prescriptions, food, property tax, utilities and more, with every number to call.',
  frame: 'site',
} satisfies PageRouteDefinition;

export default function EbookDownloadPage() {
  const email = parseEmail(useLiteralParameters()?.get('email'));
  return (
    <Container width="wide" className={styles.page}>
      <Introduction
        label={<p className={styles.label}>{guideCopy.label}</p>}
        heading={guideFacts.title}
        lead={guideCopy.lead}
        picture={<GuideCover />}
      >
        <div className={styles.action}>
          <ButtonLink href={url} download={guideCopy.fileName} size="large">
            {guideCopy.download}
          </ButtonLink>
          <p className={styles.file}>{`PDF, ${guideFacts.pages} pages, ${Math.ceil(guideFacts.bytes / 1000)} kB`}</p>
        </div>
        <p className={styles.guideFor}>
          {email !== undefined && (
            <span>
              {guideCopy.guideFor} <strong translate="no">{email}</strong>
            </span>
          )}
        </p>
      </Introduction>
      <SideBySide>
        <section aria-labelledby="inside">
          <h2 id="inside">{guideCopy.insideHeading}</h2>
          <p className={styles.insideLead}>{guideCopy.insideLead}</p>
          <ol className={styles.topics}>
            {guideFacts.topics.map((topic) => (
              <li key={topic} className={styles.topic}>
                {topic}
              </li>
            ))}
          </ol>
          <p>{guideCopy.also}</p>
        </section>
        <div className={styles.aside}>
          <HousingGuide />
          <section className={styles.claim} aria-labelledby="claim">
            <h2 id="claim" className={styles.claimHeading}>
              {guideCopy.claimHeading}
            </h2>
            <p>{guideCopy.claim}</p>
          </section>
        </div>
      </SideBySide>
    </Container>
  );
}

function HousingGuide() {
  const { housingGuideAddress } = useSiteSettings();
  return (
    <Panel aria-labelledby="housing-guide">
      <div>
        <LabelledHeading id="housing-guide" label={<Sponsored />}>
          {housingGuideCopy.heading}
        </LabelledHeading>
        <p>{housingGuideCopy.text}</p>
      </div>
      <ButtonLink
        href={housingGuideAddress}
        variant="secondary"
        target="_blank"
        rel="noopener noreferrer sponsored"
        aria-describedby="housing-guide-tab"
      >
        {housingGuideCopy.action}
      </ButtonLink>
      <p id="housing-guide-tab" className={styles.note}>
        {housingGuideCopy.newTab}
      </p>
    </Panel>
  );
}

const guideCopy = {
  label: `${site.sisterBrand}, from the makers of ${site.name}`,
  lead: 'Savings of up to $5,000 a year may be waiting in benefits nobody told you about. This free guide tells you what they are, who they’re for and who to call.',
  guideFor: 'Guide for:',
  download: 'Download the free guide',
  fileName: 'senior-savings-guide.pdf',
  insideHeading: 'What’s inside',
  insideLead:
    'A chapter for each kind of help. Each one tells you at a glance who it’s for, what it’s worth and where to ask.',
  also: 'Plus a worked example, a checklist to print, and every phone number on one page.',
  claimHeading: 'What “up to $5,000” means',
  claim:
    'A household with a limited income that qualifies for most of these programs could save that much. Many people find a few hundred dollars; some find nothing new. The guide adds it up line by line. It’s general information, not advice, and we’re not affiliated with any government agency.',
} as const;

const housingGuideCopy = {
  heading: 'Bonus: the housing guide',
  text: 'Thinking about staying put, moving or renting? Our partner’s guide covers housing help for seniors. The partner may pay us when you open it.',
  action: 'Get the bonus housing guide',
  newTab: 'Opens our partner’s website in a new tab.',
} as const;
