// Markdown as elements. A card may come from anybody, so no HTML of it is used, and only links to the web are links.
import { type ComponentChildren, Fragment } from "preact";
import { lexer, type Token, type Tokens } from "marked";
import { Table } from "./parts";

// A card stands below two headings of the screen.
const DEPTH = 2;
const DEEPEST = 6;

export function Markdown({ text, label }: { text: string; label: string }) {
  return <div class="markdown">{blocks(lexer(text), label)}</div>;
}

function blocks(tokens: Token[], label: string): ComponentChildren {
  return tokens.map((token, at) => <Fragment key={at}>{block(token, label)}</Fragment>);
}

function block(token: Token, label: string): ComponentChildren {
  switch (token.type) {
    case "heading": {
      const { depth, tokens } = token as Tokens.Heading;
      const Heading = `h${Math.min(depth + DEPTH, DEEPEST)}` as "h3";
      return <Heading>{inlines(tokens)}</Heading>;
    }
    case "paragraph":
      return <p>{inlines((token as Tokens.Paragraph).tokens)}</p>;
    case "code":
      return (
        <pre tabIndex={0} role="group" aria-label={label}>
          {(token as Tokens.Code).text}
        </pre>
      );
    case "blockquote":
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens, label)}</blockquote>;
    case "list":
      return list(token as Tokens.List, label);
    case "table":
      return table(token as Tokens.Table, label);
    case "hr":
      return <hr />;
    case "space":
      return null;
    default:
      return "tokens" in token && token.tokens ? inlines(token.tokens) : plain(token);
  }
}

function list({ ordered, items }: Tokens.List, label: string): ComponentChildren {
  const entries = items.map((item, at) => <li key={at}>{blocks(item.tokens, label)}</li>);
  return ordered ? <ol>{entries}</ol> : <ul>{entries}</ul>;
}

function table({ header, rows }: Tokens.Table, label: string): ComponentChildren {
  return (
    <Table label={label}>
      {header.some((cell) => cell.text !== "") && (
        <thead>
          <tr>
            {header.map((cell, at) =>
              cell.text === "" ? (
                <td key={at} />
              ) : (
                <th key={at} scope="col">
                  {inlines(cell.tokens)}
                </th>
              ),
            )}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, column) => (
              <td key={column}>{inlines(cell.tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function inlines(tokens: Token[]): ComponentChildren {
  return tokens.map((token, at) => <Fragment key={at}>{inline(token)}</Fragment>);
}

function inline(token: Token): ComponentChildren {
  const within = () => ("tokens" in token && token.tokens ? inlines(token.tokens) : plain(token));
  switch (token.type) {
    case "strong":
      return <strong>{within()}</strong>;
    case "em":
      return <em>{within()}</em>;
    case "codespan":
      return <code>{plain(token)}</code>;
    case "br":
      return <br />;
    case "link": {
      const { href } = token as Tokens.Link;
      // Other links lead to files beside the card, which are not here.
      return /^https?:/.test(href) ? (
        <a href={href} rel="noreferrer">
          {within()}
        </a>
      ) : (
        within()
      );
    }
    default:
      return within();
  }
}

function plain(token: Token): string {
  return "text" in token ? String(token.text) : token.raw;
}
