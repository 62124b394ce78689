// The part of a page that is seen. It moves the page's layer by CSS transforms, and renders nothing again.
import type { Box } from "../api/client";
import type { Point } from "./geometry";

// The largest zoom, in pixels a point, and the smallest as a part of the one that shows all.
const LARGEST_ZOOM = 12;
const SMALLEST_PART = 0.5;
// While a person moves, the layer is moved and scaled as it is; after this pause it is drawn sharply, in milliseconds.
const PAUSE = 140;
// Space around a page that is shown as a whole, in pixels.
const MARGIN = 16;
// Part of the view that a selected item fills at most, and its largest zoom in pixels a point.
const ITEM_PART = 0.3;
const ITEM_ZOOM = 3;

export class Camera {
  zoom = 1;
  x = 0;
  y = 0;
  #sharp = 0;
  #timer: number | undefined;
  #rest: number | undefined;
  #smallest = 0.01;
  #showsAll = false;

  constructor(
    readonly frame: HTMLElement,
    readonly layer: HTMLElement,
    readonly size: { width: number; height: number },
    readonly onZoom: (zoom: number) => void,
    /** Called with the part of the page that is seen, in points, once the page rests. */
    readonly onRest: (seen: Box) => void,
  ) {}

  #room(): { width: number; height: number } {
    return { width: this.frame.clientWidth, height: this.frame.clientHeight };
  }

  showAll(): void {
    const { width, height } = this.#room();
    const zoom = Math.max(Math.min((width - 2 * MARGIN) / this.size.width, (height - 2 * MARGIN) / this.size.height), 0.01);
    this.#smallest = zoom * SMALLEST_PART;
    this.zoom = zoom;
    this.x = (width - this.size.width * zoom) / 2;
    this.y = (height - this.size.height * zoom) / 2;
    this.settle();
    this.#showsAll = true;
  }

  /** Fits the page into a frame of another size, unless the person looks at a part of it. */
  resized(): void {
    if (this.#showsAll) this.showAll();
  }

  pan(x: number, y: number): void {
    this.#showsAll = false;
    this.x += x;
    this.y += y;
    this.#show();
  }

  /** Zooms around a place of the frame, which stays where it is. */
  zoomAt(factor: number, at?: Point): void {
    const { width, height } = this.#room();
    const { x, y } = at ?? { x: width / 2, y: height / 2 };
    const zoom = Math.min(Math.max(this.zoom * factor, this.#smallest), LARGEST_ZOOM);
    const real = zoom / this.zoom;
    this.#showsAll = false;
    this.zoom = zoom;
    this.x = x - (x - this.x) * real;
    this.y = y - (y - this.y) * real;
    this.#show();
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.settle(), PAUSE);
  }

  /** Shows a box of the page in the middle, enlarged if it is small. */
  centre(box: Box): void {
    this.#showsAll = false;
    const { width, height } = this.#room();
    const [wide, high] = [Math.max(box.x2 - box.x1, 1), Math.max(box.y2 - box.y1, 1)];
    const most = Math.min((width * ITEM_PART) / wide, (height * ITEM_PART) / high, ITEM_ZOOM);
    const fits = Math.min((width - 2 * MARGIN) / wide, (height - 2 * MARGIN) / high);
    this.zoom = Math.min(Math.max(this.zoom, most), Math.max(fits, this.#smallest));
    this.x = width / 2 - (box.x1 + wide / 2) * this.zoom;
    this.y = height / 2 - (box.y1 + high / 2) * this.zoom;
    this.settle();
  }

  /** Whether a box of the page is seen as a whole. */
  sees(box: Box): boolean {
    const { width, height } = this.#room();
    const at = (value: number, from: number) => value * this.zoom + from;
    return at(box.x1, this.x) >= 0 && at(box.y1, this.y) >= 0 && at(box.x2, this.x) <= width && at(box.y2, this.y) <= height;
  }

  /** Returns the place of the page that is at a place of the frame. */
  inPage({ x, y }: Point): Point {
    return { x: (x - this.x) / this.zoom, y: (y - this.y) / this.zoom };
  }

  /** Draws the layer sharply at the present zoom. */
  settle(): void {
    clearTimeout(this.#timer);
    if (this.#sharp !== this.zoom) {
      this.#sharp = this.zoom;
      this.layer.style.width = `${this.size.width * this.zoom}px`;
      this.layer.style.height = `${this.size.height * this.zoom}px`;
    }
    this.#show();
    this.onZoom(this.zoom);
  }

  leave(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#rest);
  }

  #seen(): Box {
    const { width, height } = this.#room();
    const [from, to] = [this.inPage({ x: 0, y: 0 }), this.inPage({ x: width, y: height })];
    return { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
  }

  #show(): void {
    clearTimeout(this.#rest);
    this.#rest = window.setTimeout(() => this.onRest(this.#seen()), PAUSE);
    const scale = this.zoom / this.#sharp;
    this.layer.style.transform = `translate3d(${this.x}px, ${this.y}px, 0)${scale === 1 ? "" : ` scale(${scale})`}`;
  }
}
