import { mount } from 'svelte';
import '../app.css';
import './marine.css';
import MarineApp from './MarineApp.svelte';

const target = document.getElementById('app');
if (target) {
  target.replaceChildren();
  mount(MarineApp, { target });
}
