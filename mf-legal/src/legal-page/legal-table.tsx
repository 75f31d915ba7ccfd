import { Children, isValidElement, type ReactNode } from 'react';
import styles from './legal-table.module.css';

interface WithChildren {
  readonly children?: ReactNode;
}

/** The cells of each row that stand in `children`, at whatever depth; the heading row is the first. */
function rowsOf(children: ReactNode): (readonly ReactNode[])[] {
  return Children.toArray(children).flatMap((child) => {
    if (!isValidElement<WithChildren>(child)) return [];
    const inner = child.props.children;
    return child.type === 'tr' ? [cellsOf(inner)] : rowsOf(inner);
  });
}

function cellsOf(children: ReactNode): readonly ReactNode[] {
  return Children.toArray(children)
    .filter((child) => isValidElement<WithChildren>(child))
    .map((cell) => cell.props.children);
}

/**
 * Takes the place of a Markdown table. Where there is no room for columns each row stands by itself, its
 * first cell as a title, and the others named by their column, so that nobody has to scroll sideways. The
 * names are in the text: some browsers no longer announce a table whose rows are laid out otherwise.
 */
export function LegalTable({ children }: WithChildren) {
  const [columns = [], ...rows] = rowsOf(children);
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <thead className={styles.head}>
          <tr>
            {columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity, and never change
              <th key={index} className={styles.cell} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={styles.body}>
          {rows.map(([title, ...cells], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and never change
            <tr key={index} className={styles.row}>
              <th className={styles.cell} scope="row">
                {title}
              </th>
              {cells.map((cell, cellIndex) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity, and never change
                <td key={cellIndex} className={styles.cell}>
                  <span className={styles.column}>{columns[cellIndex + 1]}: </span>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
