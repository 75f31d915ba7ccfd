import type { ReactNode } from 'react';
import styles from './offer-drawing.module.css';

export type DrawingName = 'pendant' | 'tooth' | 'hearing';

/** Line drawings on a ledger's page, with the offer's subject in the accent. Decoration: the text says the same. */
export function OfferDrawing({ of }: { readonly of: DrawingName }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 480 300" width="480" height="300" aria-hidden="true">
      <path className={styles.rule} d="M0 50.5h480M0 100.5h480M0 150.5h480M0 200.5h480M0 250.5h480" />
      <path className={styles.margin} d="M60.5 0v300M64.5 0v300" />
      {drawings[of]}
    </svg>
  );
}

/** Five weeks of seven days plus ten more days, as nine columns of five. */
const trialDays = Array.from(
  { length: 45 },
  (_, day) => `M${92 + (day % 9) * 18} ${178 + Math.floor(day / 9) * 20}h11`,
);

const drawings: Readonly<Record<DrawingName, ReactNode>> = {
  // A pendant on its cord, sending a call.
  pendant: (
    <>
      <path className={styles.line} d="M214 0c4 62 22 92 50 104M326 0c-4 62-22 92-50 104" />
      <rect className={styles.body} x="232" y="102" width="76" height="104" rx="36" />
      <circle className={styles.fill} cx="270" cy="160" r="22" />
      <path className={styles.ring} d="M258 116h24" />
      <path
        className={styles.signal}
        d="M334 128a46 46 0 0 1 0 64M356 106a78 78 0 0 1 0 108M378 84a110 110 0 0 1 0 152M206 128a46 46 0 0 0 0 64M184 106a78 78 0 0 0 0 108M162 84a110 110 0 0 0 0 152"
      />
    </>
  ),
  // A healthy tooth, and a crossed-out price.
  tooth: (
    <>
      <path
        className={styles.body}
        d="M170 60c22-16 38-2 60-2s38-14 60 2c26 20 22 62 8 96c-10 26-10 92-30 94c-20 0-12-66-38-66s-18 66-38 66c-20-2-20-68-30-94c-14-34-18-76 8-96z"
      />
      <path className={styles.ring} d="M182 82c10-10 24-8 34-2" />
      <path className={styles.entry} d="M352 92h84" />
      <path className={styles.line} d="M344 100l100-16" />
      <path className={styles.found} d="M352 142h52" />
      <path className={styles.entry} d="M352 192h84" />
      <path className={styles.line} d="M344 200l100-16" />
      <path className={styles.found} d="M352 242h44" />
    </>
  ),
  // A faint signal becomes clear, and the days to try it.
  hearing: (
    <>
      <g transform="translate(-26 0)">
        <path
          className={styles.line}
          d="M296 132c0-46 32-76 72-76s70 32 70 74c0 32-18 50-32 70c-10 14-12 26-16 42c-6 26-38 32-54 12M322 136c0-28 20-48 46-48s44 18 44 42c0 20-16 28-24 40c-6 10-4 22-18 26"
        />
        <path className={styles.ring} d="M430 52c-34-32-98-26-112 24c-6 22 2 46 22 58" />
        <circle className={styles.fill} cx="343" cy="138" r="8" />
        <path
          className={styles.body}
          d="M426 46c30 26 38 66 22 108c-4 11-10 20-19 28l15 12c15-13 24-26 30-43c15-46 5-92-25-119c-10-8-22-4-23 14z"
        />
      </g>
      <path className={styles.entry} d="M92 106v-4M106 108v-8M120 106v-4M134 110v-12M148 107v-6" />
      <path
        className={styles.found}
        d="M164 116v-24M178 128v-48M192 138v-68M206 126v-44M220 142v-76M234 122v-36M248 110v-12"
      />
      <path className={styles.entry} d={trialDays.slice(0, 44).join('')} />
      <path className={styles.found} d={trialDays[44]} />
    </>
  ),
};
