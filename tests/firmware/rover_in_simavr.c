/* Runs the firmware of examples/firmware/rover in simavr, in its own time: that it drives on orders, and that its
 * dead-man's switch stops the motors. rover_in_simavr ROVER.ELF */
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ocr1a = 0x88, ocr1b = 0x8a, portb = 0x25, portd = 0x2b };

static avr_t *avr;
static avr_irq_t *to_board;
static char heard[1 << 16];
static size_t heard_size;

static void must(int good, const char *what) {
    if (good) return;
    fprintf(stderr, "not so: %s\nheard so far:\n%.2000s\n", what, heard);
    exit(1);
}

static void on_byte(struct avr_irq_t *irq, uint32_t value, void *unused) {
    (void)irq, (void)unused;
    if (heard_size + 1 < sizeof heard) heard[heard_size++] = (char)value;
}

static double now_ms(void) { return (double)avr->cycle / 16000.0; }

static void run(double ms) {
    for (const double end = now_ms() + ms; now_ms() < end;) {
        const int state = avr_run(avr);
        must(state != cpu_Done && state != cpu_Crashed, "the program runs");
    }
}

static void say_raw(const char *text) {
    for (; *text; text++) {
        avr_raise_irq(to_board, (uint8_t)*text);
        run(0.1); /* a byte at 115,200 baud takes 0.087 ms */
    }
}

static void say(const char *text) {
    char line[64];
    unsigned sum = 0;
    for (const char *at = text; *at; at++) sum ^= (unsigned char)*at;
    snprintf(line, sizeof line, "%s*%02X\n", text, sum);
    say_raw(line);
    run(15); /* the board may be writing its report */
}

static int right_duty(void) { return avr->data[ocr1a]; }
static int left_duty(void) { return avr->data[ocr1b]; }

int main(int argc, char **argv) {
    elf_firmware_t firmware = {0};
    must(argc == 2 && elf_read_firmware(argv[1], &firmware) == 0, "the firmware can be read");
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->frequency = 16000000;
    avr->log = LOG_ERROR;
    avr_load_firmware(avr, &firmware);
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    to_board = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte, NULL);

    run(100);
    must(strncmp(heard, "board rover 250*", 16) == 0, "it greets when it starts");
    must(strstr(heard, "encoder_right 0*") != NULL && strstr(heard, "encoder_left 0*") != NULL, "it reports its encoders");
    must(strstr(heard, "battery ") != NULL, "it reports its battery");
    must(right_duty() == 0 && left_duty() == 0, "its motors are off when it starts");

    double last_order = 0;
    for (int i = 0; i < 20; i++) {
        last_order = now_ms();
        say("drive 300 -150");
    }
    must(left_duty() == 127 && right_duty() == 63, "it drives as ordered");
    must((avr->data[portb] & 1) == 0 && (avr->data[portd] & 0x80) != 0, "backward on the right");

    while (right_duty() != 0 || left_duty() != 0) {
        run(0.1);
        must(now_ms() - last_order < 300, "it stops without orders");
    }
    const double after = now_ms() - last_order;
    printf("the dead-man's switch stops the motors %.1f ms after the last order\n", after);
    must(after >= 250 && after <= 270, "250 ms after it was read");

    say("drive 300 300");
    must(left_duty() == 127, "it drives again");
    say("stop");
    must(left_duty() == 0 && right_duty() == 0, "it stops at once when told to");
    say_raw("drive 300 300*00\n");
    run(15);
    say_raw("drive 300 300 and so on and so on and so on and so on and so on and so on and so on*1F\n");
    run(15);
    must(left_duty() == 0 && right_duty() == 0, "it ignores damaged and endless lines");
    heard_size = 0;
    memset(heard, 0, sizeof heard);
    say("hello");
    run(50);
    must(strstr(heard, "board rover 250*") != NULL, "it answers");
    return 0;
}
