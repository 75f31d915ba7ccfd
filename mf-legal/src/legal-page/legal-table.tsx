import { Children, isValidElement, type ReactNode } from 'react';
import styles from './legal-table.module.css';

interface WithChildren {
  readonly children?: ReactNode;
}

const elementsIn = (children: ReactNode) =>
  Children.toArray(children).filter((child) => isValidElement<WithChildren>(child));

/**
 * On a phone each row becomes a block whose first cell is the title. The column's name is in the text of each cell, because
 * some browsers do not announce a table whose rows have another layout.
 */
export function LegalTable({ children }: WithChildren) {
  const [columns = [], ...rows] = elementsIn(children)
    .flatMap((section) => elementsIn(section.props.children))
    .map((row) => elementsIn(row.props.children).map((cell) => cell.props.children));
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
