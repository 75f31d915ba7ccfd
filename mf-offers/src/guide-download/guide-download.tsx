import { ButtonLink, Container, Introduction, SideBySide } from '@daybook/ui';
import { guideCopy } from './guide-copy.ts';
import { GuideCover } from './guide-cover.tsx';
import styles from './guide-download.module.css';
import { describeFile, type GuideFile } from './guide-file.ts';
import { HousingGuide } from './housing-guide.tsx';

interface GuideDownloadProperties {
  readonly guide: GuideFile;
  /** Whom the guide is for, if that is known. */
  readonly email: string | undefined;
}

/** The download page of the senior savings guide (product document, section 2). */
export function GuideDownload({ guide, email }: GuideDownloadProperties) {
  return (
    <Container width="wide" className={styles.page}>
      <Introduction
        label={<p className={styles.label}>{guideCopy.label}</p>}
        heading={guide.title}
        lead={guideCopy.lead}
        picture={<GuideCover guide={guide} />}
      >
        <p className={styles.guideFor}>
          {email !== undefined && (
            <>
              {guideCopy.guideFor} <strong className={styles.email}>{email}</strong>
            </>
          )}
        </p>
        <div className={styles.action}>
          <ButtonLink href={guide.address} download={guideCopy.fileName} size="large">
            {guideCopy.download}
          </ButtonLink>
          <p className={styles.file}>{describeFile(guide)}</p>
        </div>
      </Introduction>
      <SideBySide>
        <section aria-labelledby="inside">
          <h2 id="inside">{guideCopy.insideHeading}</h2>
          <p className={styles.insideLead}>{guideCopy.insideLead}</p>
          <ol className={styles.topics}>
            {guide.topics.map((topic, index) => (
              <li key={topic} className={styles.topic} value={guide.firstTopicNumber + index}>
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
