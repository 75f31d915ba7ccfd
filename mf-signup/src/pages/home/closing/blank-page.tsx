import styles from './blank-page.module.css';

const lines = [76, 124, 172, 220, 268, 316];

/** The sample issue's sheet with nothing written on it yet; it runs off the lower edge. Decoration. */
export function BlankPage({ className }: { readonly className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 520 340" aria-hidden="true">
      <path className={styles.sheet} d="M.5 340V.5h519V340" />
      <path className={styles.rule} d={lines.map((line) => `M.5 ${line - 0.5}h519`).join('')} />
      <path className={styles.margin} d="M0 48.5h520M0 51.5h520M104.5 52v288M107.5 52v288" />
      <path className={styles.rule} d="M432.5 52v288" />
    </svg>
  );
}
