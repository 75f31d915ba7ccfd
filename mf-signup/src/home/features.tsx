import { Container } from '@daybook/ui';
import styles from './features.module.css';

export function Features() {
  return (
    <section id="features" className={styles.section} aria-labelledby="features-heading">
      <Container width="wide">
        <div className={styles.head}>
          <h2 id="features-heading" className={styles.heading}>
            What you get in five minutes
          </h2>
          <p className={styles.lead}>Four things we look for every day so you don’t have to.</p>
        </div>
        {/* biome-ignore lint/a11y/noRedundantRoles: without list marks, Safari reads no list out unless the role is given */}
        <ul role="list" className={styles.cards}>
          {features.map(({ title, text, drawing }) => (
            <li key={title} className={styles.card}>
              <svg className={styles.drawing} viewBox="0 0 240 132" aria-hidden="true">
                {drawing}
              </svg>
              <h3 className={styles.title}>{title}</h3>
              <p className={styles.text}>{text}</p>
            </li>
          ))}
        </ul>
      </Container>
    </section>
  );
}

const features = [
  {
    title: 'Hidden opportunities',
    text: 'The account that quietly pays more, the fee you could stop paying, the tax break few people claim. We read the fine print for you.',
    // A page of entries, one of them circled.
    drawing: (
      <>
        <path className={styles.rule} d="M0 22.5h240M0 44.5h240M0 66.5h240M0 88.5h240M0 110.5h240" />
        <path className={styles.margin} d="M40.5 4v124M44.5 4v124" />
        <path
          className={styles.entry}
          d="M58 16h92M58 38h64M58 60h104M58 104h82M196 16h28M204 38h20M190 60h34M200 104h24M12 16h16M12 38h16M12 60h16M12 104h16"
        />
        <path className={styles.found} d="M12 82h16M58 82h76M186 82h38" />
        <ellipse className={styles.ring} cx="205" cy="82" rx="31" ry="15" />
      </>
    ),
  },
  {
    title: 'Rapid analysis',
    text: 'What moved since yesterday, why, and whether it matters if you’re not a trader. A few paragraphs and one chart.',
    // The day's noise, and the line through it.
    drawing: (
      <>
        <path className={styles.rule} d="M0 22.5h240M0 66.5h240" />
        <path className={styles.axis} d="M0 110.5h240" />
        <path
          className={styles.noise}
          d="M0 54l6-2 6 20 6-26 6 26 6-24 6 24 6-19 6-11 6 32 6-15 6 12 6-10 6 21 6-24 6 31 6-24 6 23 6 12 6-3 6-20 6 13 6-15 6 0 6-8 6 22 6 2 6-2 6-24 6 19 6-19 6-8 6 20 6-14 6 9 6-18 6 23 6-28 6 23 6-10"
        />
        <path className={styles.signal} d="M0 66C45 34 85 92 140 84S205 60 234 62" />
        <circle className={styles.point} cx="234" cy="62" r="5" />
      </>
    ),
  },
  {
    title: 'Portfolio wisdom',
    text: 'How fees, time and diversification shape your savings and retirement money, with examples you can check yourself.',
    // Deposits, and the interest on them.
    drawing: (
      <>
        <path className={styles.rule} d="M0 22.5h240M0 66.5h240" />
        <path
          className={styles.bar}
          d="M4 100h16v10H4zM34 92h16v18H34zM64 84h16v26H64zM94 76h16v34H94zM124 68h16v42h-16zM154 60h16v50h-16zM184 52h16v58h-16zM214 44h16v66h-16z"
        />
        <path
          className={styles.grown}
          d="M34 91h16v1H34zM64 81h16v3H64zM94 70h16v6H94zM124 58h16v10h-16zM154 45h16v15h-16zM184 30h16v22h-16zM214 12h16v32h-16z"
        />
        <path className={styles.axis} d="M0 110.5h240" />
      </>
    ),
  },
  {
    title: 'Risk management',
    text: 'Every idea comes with what could go wrong and what that would cost you, so you see both columns before you decide.',
    // Both sides of an account, closed with a double rule.
    drawing: (
      <>
        <path className={styles.account} d="M0 22.5h240M120.5 22v96" />
        <path className={styles.entry} d="M0 14h40M8 40h60M8 60h44M8 80h52M84 40h22M88 60h18M86 80h20" />
        <path className={styles.found} d="M136 14h34M136 40h50M136 60h34M206 40h28M212 60h22" />
        <path className={styles.rule} d="M0 92.5h106M136 92.5h104" />
        <path className={styles.entry} d="M80 104h26" />
        <path className={styles.found} d="M206 104h28" />
        <path className={styles.axis} d="M76 114.5h30M76 118.5h30" />
        <path className={styles.closing} d="M202 114.5h32M202 118.5h32" />
      </>
    ),
  },
];
