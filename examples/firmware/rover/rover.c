/* Firmware of a rover's board: an ATmega328P at 16 MHz (Arduino Uno or Nano), plain avr-libc.
 *
 * It drives two motors, counts two encoders, and speaks the lines of docs/formats/sensor-lines.md at 115,200 baud. Its
 * dead-man's switch stops the motors STOP_MS after the last order, whatever has become of the computer.
 *
 * | pin      | Arduino | to                                                          |
 * |----------|---------|-------------------------------------------------------------|
 * | PB1 OC1A | 9       | motor driver: PWM right                                     |
 * | PB2 OC1B | 10      | motor driver: PWM left                                      |
 * | PD7      | 7       | motor driver: direction right; low: ahead                   |
 * | PB0      | 8       | motor driver: direction left; low: ahead                    |
 * | PD2 INT0 | 2       | encoder right, channel A                                    |
 * | PD4      | 4       | encoder right, channel B                                    |
 * | PD3 INT1 | 3       | encoder left, channel A                                     |
 * | PD5      | 5       | encoder left, channel B                                     |
 * | PD6      | 6       | bumper: a switch to ground that closes                      |
 * | PC0      | A0      | battery through a divider of 10 kOhm and 3.3 kOhm           |
 * | PB5      | 13      | light: on while the robot is driven                         |
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <util/atomic.h>

#define BOARD_NAME "rover"
#define STOP_MS 250
#define REPORT_MS 20
#define FULL_SPEED 600 /* mm/s of a wheel at full duty */
#define EMPTY_MV 6400  /* of the battery: two lithium cells */
#define FULL_MV 8400
#define LINE_SIZE 48

static volatile uint32_t clock_ms;
static volatile int32_t right_ticks, left_ticks;
static volatile uint8_t received[64], received_head, received_tail;
static uint32_t ordered_at; /* the last order */

ISR(TIMER2_COMPA_vect) { clock_ms++; }
/* Channel B says which way the wheel turns when channel A rises. */
ISR(INT0_vect) { right_ticks += PIND & (1 << PD4) ? -1 : 1; }
ISR(INT1_vect) { left_ticks += PIND & (1 << PD5) ? -1 : 1; }
ISR(USART_RX_vect) {
    const uint8_t next = (received_head + 1) % sizeof received;
    const uint8_t byte = UDR0;
    if (next != received_tail) {
        received[received_head] = byte;
        received_head = next;
    }
}

static uint32_t now_ms(void) {
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = clock_ms; }
    return now;
}

static int32_t count_of(volatile int32_t *ticks) {
    int32_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { count = *ticks; }
    return count;
}

static void set_up(void) {
    /* PWM at 31 kHz on OC1A and OC1B, 8 bits. */
    TCCR1A = (1 << COM1A1) | (1 << COM1B1) | (1 << WGM10);
    TCCR1B = (1 << CS10);
    DDRB = (1 << PB0) | (1 << PB1) | (1 << PB2) | (1 << PB5);
    DDRD = (1 << PD7);
    PORTD = (1 << PD2) | (1 << PD3) | (1 << PD4) | (1 << PD5) | (1 << PD6); /* pull-ups */
    /* A tick of 1 ms: 16 MHz / 64 / 250. */
    TCCR2A = (1 << WGM21);
    TCCR2B = (1 << CS22);
    OCR2A = 249;
    TIMSK2 = (1 << OCIE2A);
    EICRA = (1 << ISC01) | (1 << ISC00) | (1 << ISC11) | (1 << ISC10);
    EIMSK = (1 << INT0) | (1 << INT1);
    /* 115,200 baud with double speed. */
    UCSR0A = (1 << U2X0);
    UBRR0 = 16;
    UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
    UCSR0C = (1 << UCSZ01) | (1 << UCSZ00);
    ADMUX = (1 << REFS0);
    ADCSRA = (1 << ADEN) | (1 << ADPS2) | (1 << ADPS1) | (1 << ADPS0);
    wdt_enable(WDTO_120MS); /* a program that hangs starts anew, with its motors off */
    sei();
}

static uint8_t checksum(const char *text) {
    uint8_t sum = 0;
    while (*text) sum ^= (uint8_t)*text++;
    return sum;
}

static void send(const char *text) {
    char end[5];
    snprintf(end, sizeof end, "*%02X\n", checksum(text));
    for (const char *part = text; part; part = part == text ? end : NULL)
        for (const char *at = part; *at; at++) {
            while (!(UCSR0A & (1 << UDRE0))) {}
            UDR0 = (uint8_t)*at;
        }
}

static void send_number(const char *name, int32_t value) {
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "%s %ld", name, (long)value);
    send(line);
}

static uint8_t duty_of(int16_t speed) {
    const int32_t duty = (int32_t)abs(speed) * 255 / FULL_SPEED;
    return duty > 255 ? 255 : (uint8_t)duty;
}

static void drive(int16_t left, int16_t right) {
    if (left < 0) PORTB |= (1 << PB0);
    else PORTB &= (uint8_t)~(1 << PB0);
    if (right < 0) PORTD |= (1 << PD7);
    else PORTD &= (uint8_t)~(1 << PD7);
    OCR1A = duty_of(right);
    OCR1B = duty_of(left);
}

static void greet(void) { send_number("board " BOARD_NAME, STOP_MS); }

/* Carries out a line without its end. One whose checksum is wrong is ignored: the next one is 20 ms away. */
static void carry_out(char *line) {
    char *const star = strrchr(line, '*');
    if (!star) return;
    *star = 0;
    if (strtoul(star + 1, NULL, 16) != checksum(line)) return;
    int left, right;
    if (!strcmp(line, "hello")) greet();
    else if (!strcmp(line, "stop")) drive(0, 0);
    else if (!strcmp(line, "heartbeat")) ordered_at = now_ms();
    else if (sscanf(line, "drive %d %d", &left, &right) == 2) {
        ordered_at = now_ms();
        drive((int16_t)left, (int16_t)right);
    } else if (!strncmp(line, "lights ", 7)) {
        if (!strcmp(line + 7, "driven")) PORTB |= (1 << PB5);
        else PORTB &= (uint8_t)~(1 << PB5);
    }
}

static void read_lines(void) {
    static char line[LINE_SIZE];
    static uint8_t size; /* LINE_SIZE: too long, ignored up to its end */
    while (received_tail != received_head) {
        const char byte = (char)received[received_tail];
        received_tail = (received_tail + 1) % sizeof received;
        if (byte == '\n') {
            if (size < LINE_SIZE) {
                line[size] = 0;
                carry_out(line);
            }
            size = 0;
        } else if (size < LINE_SIZE) {
            line[size++] = byte;
            if (size == LINE_SIZE - 1) size = LINE_SIZE;
        }
    }
}

static void report(void) {
    static uint8_t rounds;
    send_number("encoder_right", count_of(&right_ticks));
    send_number("encoder_left", count_of(&left_ticks));
    send_number("bumper_front", PIND & (1 << PD6) ? 0 : 1);
    if (rounds++ % 5 == 0) {
        /* 5 V at 1023, times (10 + 3.3) / 3.3. */
        const int32_t mv = (int32_t)ADC * 20151 / 1023;
        int32_t level = (mv - EMPTY_MV) * 1000 / (FULL_MV - EMPTY_MV);
        level = level < 0 ? 0 : level > 1000 ? 1000 : level;
        char text[LINE_SIZE];
        snprintf(text, sizeof text, "battery %ld %ld 0", (long)level, (long)mv);
        send(text);
        ADCSRA |= (1 << ADSC); /* for the next time */
    }
}

int main(void) {
    uint32_t reported_at = 0;
    set_up();
    greet();
    for (;;) {
        wdt_reset();
        read_lines();
        const uint32_t now = now_ms();
        if (now - ordered_at >= STOP_MS) drive(0, 0); /* the dead-man's switch */
        if (now - reported_at >= REPORT_MS) {
            reported_at = now;
            report();
        }
    }
}
